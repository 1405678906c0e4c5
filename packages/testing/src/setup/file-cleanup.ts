import { afterAll } from "vitest";

type Cleanup = () => Promise<void> | void;

const cleanups: Cleanup[] = [];

/**
 * Runs when the test file has ended, the last one registered first. A module that several files share within one
 * worker registers here: its own `afterAll` would run for the first of these files only.
 */
export const cleanUpAfterFile = (cleanup: Cleanup): void => {
  cleanups.push(cleanup);
};

/** Called by the set-up of each test file. */
export const registerCleanup = (): void => {
  afterAll(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });
};
