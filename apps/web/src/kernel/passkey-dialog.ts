import { startAuthentication, startRegistration } from "@simplewebauthn/browser";

type Json = Record<string, unknown>;
/** An answer in the form that the calls accept. */
type Shown = {
  id: string;
  rawId: string;
  type: "public-key";
  response: Json;
  clientExtensionResults: Json;
};

/** The browser's dialog; null when the person closed it or has no passkey for us. */
export const showPasskey = (options: Json): Promise<Shown | null> =>
  orNull(() => startAuthentication({ optionsJSON: options as unknown as Asked["optionsJSON"] }));
export const makePasskey = (options: Json): Promise<Shown | null> =>
  orNull(() => startRegistration({ optionsJSON: options as unknown as Made["optionsJSON"] }));

type Asked = Parameters<typeof startAuthentication>[0];
type Made = Parameters<typeof startRegistration>[0];

async function orNull(dialog: () => Promise<object>): Promise<Shown | null> {
  try {
    return (await dialog()) as Shown;
  } catch (error) {
    // Browsers report under one name that the user declined, waited too long or has no passkey.
    if (error instanceof Error && ["NotAllowedError", "AbortError"].includes(error.name)) return null;
    throw error;
  }
}
