/** The page's half of a guest session's secret; the other half is a cookie that no script can read. */
let visit = "";
export const currentVisit = (): string => visit;
export const setVisit = (given: string): void => void (visit = given);
