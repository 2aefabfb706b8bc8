/** A modal dialog: the browser's own, which keeps the focus inside, closes on Escape and needs no inline style. */
import { useEffect, useId, useRef, type ReactNode } from "react";

export interface ModalProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  isAlert?: boolean;
}

export function Modal({ title, onClose, children, isAlert = false }: ModalProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    if (element && !element.open) element.showModal();
    return () => {
      element?.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className="ks-modal"
      role={isAlert ? "alertdialog" : undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === dialog.current && !isAlert && onClose()}
    >
      <div className="ks-modal-content">
        <h2 id={id} className="ks-modal-title">
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  );
}
