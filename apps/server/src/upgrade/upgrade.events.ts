import { defineEvent } from "../platform/events/events.ts";

/** A package must no longer be installed; `users` downloaded it, and devices of `institutions`. */
export const packageWithdrawn = defineEvent<{
  packageId: string;
  product: string;
  version: string;
  users: string[];
  institutions: string[];
  by: string;
}>("packageWithdrawn");
