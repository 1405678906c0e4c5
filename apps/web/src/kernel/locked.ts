export const lockKey = "arcada.locked";

/**
 * Whether the pages of this browser are hidden until their reader says again who it is. The server holds the lock itself:
 * this says only what to show. Imports nothing: it is asked first.
 */
export const isLocked = (): boolean => localStorage.getItem(lockKey) !== null;
/** The server refuses this session until then: every tab shows it. */
export const showLocked = (): void => localStorage.setItem(lockKey, "yes");
