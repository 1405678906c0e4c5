/** Browsers bind passkeys to a host name with a secure origin, never to an address such as 192.0.2.1. */
export const supportsPasskeys = (): boolean =>
  isSecureContext && typeof PublicKeyCredential === "function" && !/^[\d.]+$|:/.test(location.hostname);
