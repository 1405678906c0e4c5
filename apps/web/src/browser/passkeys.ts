import { startAuthentication, startRegistration } from "@simplewebauthn/browser";

type Json = Record<string, unknown>;
/** An answer in the form that the calls accept. */
type PasskeyResponse = {
  id: string;
  rawId: string;
  type: "public-key";
  response: Json;
  clientExtensionResults: Json;
};

/** The browser's dialog; null when the person closed it or has no passkey for us. */
export const requestPasskey = (options: Json): Promise<PasskeyResponse | null> =>
  nullIfDismissed(() =>
    startAuthentication({ optionsJSON: options as unknown as AuthenticationArgument["optionsJSON"] }),
  );
export const registerPasskey = (options: Json): Promise<PasskeyResponse | null> =>
  nullIfDismissed(() => startRegistration({ optionsJSON: options as unknown as RegistrationArgument["optionsJSON"] }));

type AuthenticationArgument = Parameters<typeof startAuthentication>[0];
type RegistrationArgument = Parameters<typeof startRegistration>[0];

async function nullIfDismissed(openDialog: () => Promise<object>): Promise<PasskeyResponse | null> {
  try {
    return (await openDialog()) as PasskeyResponse;
  } catch (error) {
    // Browsers report under one name that the user declined, waited too long or has no passkey.
    if (error instanceof Error && ["NotAllowedError", "AbortError"].includes(error.name)) return null;
    throw error;
  }
}
