/** The person's to-dos: what is open, what is done, and a word of their own in each. */
import { useRef, type ReactNode, type RefObject } from "react";
import { useTodos, type Todo, type TodoKind, type Todos } from "../react";
import { formatDay, localToday } from "./dates";
import { useDraft, type DraftActions } from "./drafts";
import { Editor } from "./Editor";
import { leaveRow } from "./focus";
import { Icon } from "./icons";
import { LoadError } from "./LoadError";
import { Select } from "./MemoryFilters";
import { useMemoryUi } from "./ui";

type Changes = Pick<Todos, "update" | "forget">;
type TodoValues = Pick<Todo, "todo_text" | "kind" | "due_date">;

const KINDS: readonly TodoKind[] = ["commitment", "habit", "thread", "friction"];

export function TodosTab(): ReactNode {
  const { strings } = useMemoryUi();
  const { todos, isLoading, error, ...changes } = useTodos();
  const { todos: texts } = strings;
  if (error && !todos.length) return <LoadError error={error} />;
  if (isLoading) return <p className="ks-empty" aria-busy>{strings.loading}</p>;
  if (!todos.length) {
    return (
      <div className="ks-empty">
        <p>{texts.empty}</p>
        <p className="ks-faint">{texts.emptyHint}</p>
      </div>
    );
  }
  const open = todos.filter(({ status }) => status === "open");
  const closed = todos.filter(({ status }) => status !== "open");
  return (
    <>
      <section className="ks-group" aria-label={texts.open}>
        <h3>{texts.open}</h3>
        {open.length ? <TodoList todos={open} changes={changes} /> : <p className="ks-faint">{texts.nothingOpen}</p>}
      </section>
      {closed.length > 0 && (
        <details className="ks-group ks-closed">
          <summary>{texts.closed(closed.length)}</summary>
          <TodoList todos={closed} changes={changes} />
        </details>
      )}
    </>
  );
}

function TodoList({ todos, changes }: { todos: Todo[]; changes: Changes }): ReactNode {
  return (
    <ul className="ks-todos">
      {todos.map((todo) => (
        <TodoItem key={todo.id} todo={todo} changes={changes} />
      ))}
    </ul>
  );
}

function TodoItem({ todo, changes }: { todo: Todo; changes: Changes }): ReactNode {
  const { strings, perform } = useMemoryUi();
  const state = useDraft<TodoValues>(todo.id);
  const opener = useRef<HTMLButtonElement>(null);
  const { todos: texts } = strings;
  const isOpen = todo.status === "open";
  const close = (checkbox: HTMLElement, isDone: boolean) => {
    leaveRow(checkbox);
    const change = changes.update(todo, { status: isDone ? "done" : "open" });
    void perform(change, isDone ? texts.nowDone : texts.nowOpen);
  };
  if (state.draft) {
    return (
      <li className="ks-todo">
        <TodoEditor todo={todo} changes={changes} state={state} opener={opener} />
      </li>
    );
  }
  return (
    <li className="ks-todo" data-closed={!isOpen || undefined}>
      <label className="ks-todo-label">
        <input type="checkbox" checked={!isOpen} onChange={(event) => close(event.target, event.target.checked)} />
        <span>
          <span className="ks-todo-text">{todo.todo_text}</span>
          <TodoMeta todo={todo} />
        </span>
      </label>
      <button
        ref={opener}
        type="button"
        className="ks-icon-button"
        aria-label={`${texts.edit}: ${todo.todo_text}`}
        onClick={() => state.edit(valuesOf(todo))}
      >
        <Icon name="edit" size={16} />
      </button>
    </li>
  );
}

function TodoMeta({ todo }: { todo: Todo }): ReactNode {
  const { todos: texts, locale } = useMemoryUi().strings;
  const isLate = todo.status === "open" && todo.due_date !== null && todo.due_date < localToday();
  const words = [
    texts.kinds[todo.kind] ?? todo.kind,
    ...(todo.status === "dropped" ? [texts.dropped] : []),
    ...(todo.closed_at ? [texts.closedOn(formatDay(todo.closed_at, locale))] : []),
  ];
  return (
    <span className="ks-memory-meta">
      <span>{words.join(" · ")}</span>
      {todo.status === "open" && todo.due_date && (
        <span data-late={isLate || undefined}>
          {(isLate ? texts.late : texts.due)(formatDay(`${todo.due_date}T12:00`, locale))}
        </span>
      )}
    </span>
  );
}

function TodoEditor(props: {
  todo: Todo;
  changes: Changes;
  state: DraftActions<TodoValues>;
  opener: RefObject<HTMLElement | null>;
}): ReactNode {
  const { todo, changes, state, opener } = props;
  const { strings } = useMemoryUi();
  const { todos: texts } = strings;
  const values = state.draft?.values ?? valuesOf(todo);
  const patch = { ...values, todo_text: values.todo_text.trim() };
  const drop = { label: texts.drop, send: () => changes.update(todo, { status: "dropped" }), done: texts.nowDropped };
  const forget = { label: strings.memory.forget, send: () => changes.forget(todo), done: texts.nowForgotten };
  return (
    <Editor
      state={state}
      canSave={patch.todo_text !== ""}
      send={isSame(patch, valuesOf(todo)) ? null : () => changes.update(todo, patch)}
      done={texts.nowChanged}
      opener={opener}
      removals={todo.status === "open" ? [drop, forget] : [forget]}
    >
      <textarea
        className="ks-field"
        aria-label={texts.editLabel}
        rows={2}
        maxLength={500}
        value={values.todo_text}
        onChange={(event) => state.edit({ ...values, todo_text: event.target.value.replace(/\n/g, " ") })}
      />
      <div className="ks-selects">
        <Select
          label={texts.kind}
          value={values.kind}
          options={KINDS.map((each) => [each, texts.kinds[each] ?? each])}
          onChange={(kind) => state.edit({ ...values, kind })}
        />
        <label className="ks-select">
          <span>{texts.dueLabel}</span>
          <input
            type="date"
            className="ks-field"
            value={values.due_date ?? ""}
            onChange={(event) => state.edit({ ...values, due_date: event.target.value || null })}
          />
        </label>
      </div>
    </Editor>
  );
}

function valuesOf({ todo_text, kind, due_date }: Todo): TodoValues {
  return { todo_text, kind, due_date };
}

function isSame(one: TodoValues, other: TodoValues): boolean {
  return one.todo_text === other.todo_text && one.kind === other.kind && one.due_date === other.due_date;
}
