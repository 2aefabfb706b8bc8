/** A short text beside what has the pointer or the focus; Escape hides it. A popover, so that nothing covers or cuts it. */
import { useCallback, useEffect, useRef, type ReactNode } from "react";

/** In milliseconds: until the pointer stays, and for the pointer's way to the text. */
const DELAY = { show: 250, hide: 100 };
/** In pixels, to what it explains and to the edge of the window. */
const GAP = 6;

export interface TooltipProps {
  /** What `aria-describedby` of the child names. */
  id: string;
  text: string;
  theme: string;
  side: "top" | "bottom";
  /** What is explained; one element. */
  children: ReactNode;
}

export function Tooltip({ id, text, theme, side, children }: TooltipProps): ReactNode {
  const bubble = useRef<HTMLSpanElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const listeners = useRef<AbortController>(undefined);
  const hide = useCallback(() => {
    clearTimeout(timer.current);
    listeners.current?.abort();
    bubble.current?.hidePopover();
  }, []);
  const show = useCallback(() => {
    clearTimeout(timer.current);
    const element = bubble.current;
    if (!element || element.matches(":popover-open")) return;
    const { signal } = (listeners.current = new AbortController());
    const follow = () => place(element, side);
    element.showPopover();
    follow();
    document.addEventListener("scroll", follow, { capture: true, passive: true, signal });
    document.addEventListener("keydown", ({ key }) => key === "Escape" && hide(), { signal });
  }, [hide, side]);
  const later = (change: () => void, delay: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(change, delay);
  };
  useEffect(() => hide, [hide]);
  return (
    <span
      className="ks-tooltip-anchor"
      onPointerEnter={({ pointerType }) => pointerType !== "touch" && later(show, DELAY.show)}
      onPointerLeave={() => later(hide, DELAY.hide)}
      onPointerDown={hide}
      onFocus={({ target }) => target.matches(":focus-visible") && show()}
      onBlur={hide}
    >
      {children}
      <span ref={bubble} id={id} role="tooltip" popover="manual" className="ks-root ks-tooltip" data-theme={theme}>
        {text}
      </span>
    </span>
  );
}

/** Above or below the element before it, as wished where that is inside the window. */
function place(bubble: HTMLElement, side: TooltipProps["side"]): void {
  const anchor = (bubble.previousElementSibling ?? bubble).getBoundingClientRect();
  const { width, height } = bubble.getBoundingClientRect();
  const above = anchor.top - height - GAP;
  const below = anchor.bottom + GAP;
  const isAbove = side === "top" ? above >= GAP : below + height > innerHeight - GAP;
  const left = anchor.left + (anchor.width - width) / 2;
  bubble.style.top = `${isAbove ? above : below}px`;
  bubble.style.left = `${Math.max(GAP, Math.min(left, innerWidth - width - GAP))}px`;
}
