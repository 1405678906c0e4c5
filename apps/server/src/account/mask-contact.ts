import type { ContactTarget } from "./account.store.ts";

/** Shortens a contact to as much as its owner recognises. */
export const maskContact = (target: ContactTarget): string =>
  target.kind === "email"
    ? `${target.value.slice(0, 1)}***${target.value.slice(target.value.lastIndexOf("@"))}`
    : `${target.value.slice(0, 5)}****${target.value.slice(-2)}`;
