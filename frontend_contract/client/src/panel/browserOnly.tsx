/** Renders a component in the browser only, since what it shows is the person's own and is read there. */
import { useSyncExternalStore, type ReactNode } from "react";

const subscribe = () => () => undefined;

/** A component that is empty where a framework renders it ahead: on a server, and until it is hydrated. */
export function browserOnly<Props extends object>(Component: (props: Props) => ReactNode): (props: Props) => ReactNode {
  return function BrowserOnly(props: Props): ReactNode {
    const isBrowser = useSyncExternalStore(subscribe, () => true, () => false);
    return isBrowser ? <Component {...props} /> : null;
  };
}
