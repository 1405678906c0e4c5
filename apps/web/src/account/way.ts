export interface Entered {
  token: string;
  remember: boolean;
}
/** Who signs in: the same for both ways, so that changing the way keeps it. */
export interface Who {
  account: string;
  countryCode: string;
  remember: boolean;
}
/** What each way to sign in is given. */
export interface WayProps {
  who: Who;
  setWho: (change: Partial<Who>) => void;
  done: (entered: Entered) => void;
  disabled: boolean;
}
