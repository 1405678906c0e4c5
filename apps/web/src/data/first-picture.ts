/** The longest time in ms that the app waits for it: a request may be stuck. */
const maxWaitMs = 1500;

let firstPicture: Promise<unknown> = Promise.resolve();

/**
 * Lets the app start only once this promise is settled: running its code takes longer than fetching the first picture
 * of a viewer, and would hold it up.
 */
export function announceFirstPicture(shown: Promise<unknown>): void {
  const tooLate = new Promise((resolve) => setTimeout(resolve, maxWaitMs));
  firstPicture = Promise.race([shown.catch(() => {}), tooLate]);
}

/** Resolves at once on a page without a first picture. */
export const waitForFirstPicture = (): Promise<unknown> => firstPicture;
