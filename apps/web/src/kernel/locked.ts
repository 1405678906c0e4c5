export const lockKey = "arcada.locked";

/** Whether the pages of this browser are hidden until their reader says again who it is. Imports nothing: it is asked first. */
export const isLocked = (): boolean => localStorage.getItem(lockKey) !== null;
