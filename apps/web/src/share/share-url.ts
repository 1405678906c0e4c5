import { screens } from "@arcada/contract/screens";

/** The secret follows the number sign, because browsers do not send that part. */
export const buildShareUrl = (secret: string): string => `${location.origin}${screens.studyShared.path}#${secret}`;
