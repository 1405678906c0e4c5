/** Browsers keep passkeys for names reached safely, never for a bare number such as 192.0.2.1. */
export const canPasskeys = (): boolean =>
  isSecureContext && typeof PublicKeyCredential === "function" && !/^[\d.]+$|:/.test(location.hostname);
