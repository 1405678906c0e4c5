import { screens } from "@arcada/contract/screens";

/** The secret stands behind the number sign: browsers send that part to nobody. */
export const addressOf = (secret: string): string => `${location.origin}${screens.studyShared.path}#${secret}`;
