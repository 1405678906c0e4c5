/** The page's half of a visit by a link; the other half is a cookie that no script reads. */
let visit = "";
export const currentVisit = (): string => visit;
export const setVisit = (given: string): void => void (visit = given);
