import { randomBytes } from "node:crypto";

/**
 * Makes the name of a notification, by which any process finds the place where a client stopped reading. It is drawn by
 * chance: a number of the database could repeat after a failover.
 */
export const newPosition = (): string => randomBytes(9).toString("base64url");
export const isPosition = (text: unknown): text is string => typeof text === "string" && /^[\w-]{12}$/.test(text);

/** Adds a position of its own to a message in JSON, of which one transaction sends equal ones once. */
export const addPosition = (message: string): string => `{"position":"${newPosition()}",${message.slice(1)}`;
