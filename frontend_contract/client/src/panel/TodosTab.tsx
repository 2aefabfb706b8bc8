/** The person's to-dos: what is open, what is done, and a word of their own in each. */
import { useState, type FormEvent, type ReactNode } from "react";
import { useTodos, type Todo, type TodoKind, type TodoPatch, type Todos } from "../react";
import { formatDay, localToday } from "./dates";
import { Icon } from "./icons";
import { LoadError } from "./LoadError";
import { Select } from "./MemoryFilters";
import { useMemoryUi } from "./ui";

type Changes = Pick<Todos, "update" | "forget">;

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
  const { update, forget } = changes;
  const [isEditing, setIsEditing] = useState(false);
  const { todos: texts } = strings;
  const isOpen = todo.status === "open";
  const close = (isDone: boolean) =>
    void perform(update(todo, { status: isDone ? "done" : "open" }), isDone ? texts.nowDone : texts.nowOpen);
  if (isEditing) {
    return (
      <li className="ks-todo">
        <TodoEditor
          todo={todo}
          onDrop={() => void perform(update(todo, { status: "dropped" }), texts.nowDropped)}
          onForget={() => void perform(forget(todo), texts.nowForgotten)}
          onClose={(patch) => {
            setIsEditing(false);
            if (patch) void perform(update(todo, patch), texts.nowChanged);
          }}
        />
      </li>
    );
  }
  return (
    <li className="ks-todo" data-closed={!isOpen || undefined}>
      <label className="ks-todo-label">
        <input type="checkbox" checked={!isOpen} onChange={(event) => close(event.target.checked)} />
        <span>
          <span className="ks-todo-text">{todo.todo_text}</span>
          <TodoMeta todo={todo} />
        </span>
      </label>
      <button
        type="button"
        className="ks-icon-button"
        aria-label={`${texts.edit}: ${todo.todo_text}`}
        onClick={() => setIsEditing(true)}
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

interface TodoEditorProps {
  todo: Todo;
  onClose: (patch: TodoPatch | null) => void;
  onDrop: () => void;
  onForget: () => void;
}

function TodoEditor({ todo, onClose, onDrop, onForget }: TodoEditorProps): ReactNode {
  const { strings } = useMemoryUi();
  const { todos: texts } = strings;
  const [text, setText] = useState(todo.todo_text);
  const [kind, setKind] = useState(todo.kind);
  const [due, setDue] = useState(todo.due_date ?? "");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim()) onClose({ todo_text: text.trim(), kind, due_date: due || null });
  };
  return (
    <form className="ks-editor" onSubmit={submit} onKeyDown={(event) => event.key === "Escape" && onClose(null)}>
      <textarea
        className="ks-field"
        autoFocus
        aria-label={texts.editLabel}
        rows={2}
        maxLength={500}
        value={text}
        onChange={(event) => setText(event.target.value.replace(/\n/g, " "))}
        onKeyDown={(event) => event.key === "Enter" && submit(event)}
      />
      <div className="ks-selects">
        <Select
          label={texts.kind}
          value={kind}
          options={KINDS.map((each) => [each, texts.kinds[each] ?? each])}
          onChange={setKind}
        />
        <label className="ks-select">
          <span>{texts.dueLabel}</span>
          <input type="date" className="ks-field" value={due} onChange={(event) => setDue(event.target.value)} />
        </label>
      </div>
      <div className="ks-row" data-wrap>
        <button type="submit" className="ks-button" data-primary disabled={!text.trim()}>
          {strings.save}
        </button>
        <button type="button" className="ks-button" data-quiet onClick={() => onClose(null)}>
          {strings.cancel}
        </button>
        {todo.status === "open" && (
          <button type="button" className="ks-button" data-quiet onClick={onDrop}>
            {texts.drop}
          </button>
        )}
        <button type="button" className="ks-button" data-quiet onClick={onForget}>
          {strings.memory.forget}
        </button>
      </div>
    </form>
  );
}
