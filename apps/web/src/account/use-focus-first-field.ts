import { useEffect, useRef } from "react";
import { findFirstField } from "../browser/focus-restoration.ts";

/** Focuses the first field of a form when it appears: a user who is led from one form to the next can type at once. */
export function useFocusFirstField<E extends HTMLElement>() {
  const container = useRef<E>(null);
  useEffect(() => findFirstField(container.current)?.focus(), []);
  return container;
}
