export const lockKey = "arcada.locked";

/**
 * True if the pages of this browser are hidden until the user authenticates again. The server holds the lock itself:
 * this only decides what to show. The module imports nothing because it is queried first.
 */
export const isLocked = (): boolean => localStorage.getItem(lockKey) !== null;
/** The server refuses this session until it is unlocked: every tab shows the lock. */
export const setLocked = (): void => localStorage.setItem(lockKey, "yes");
