/** The page's half of a guest session's secret; the other half is a cookie that no script can read. */
let guestSession = "";
export const getGuestSession = (): string => guestSession;
export const setGuestSession = (given: string): void => void (guestSession = given);
