let firstPicture: Promise<unknown> = Promise.resolve();

/**
 * Lets the app start only once this promise is settled: running its code takes longer than fetching the first picture
 * of a viewer, and would hold it up.
 */
export function announceFirstPicture(shown: Promise<unknown>): void {
  firstPicture = shown.catch(() => {});
}

/** Resolves at once on a page without a first picture. */
export const waitForFirstPicture = (): Promise<unknown> => firstPicture;
