import { passkeySignInCalls } from "@arcada/contract/factor/passkey-sign-in.calls";
import { refuseAndKeep } from "../../platform/http/refuse.ts";
import { routes } from "../../platform/http/serve-calls.ts";
import { startUserSession } from "./sign-in.ts";
import { authenticationOptions, verifyPasskey } from "../factor/passkey.ts";

export const passkeySignInRoutes = routes(passkeySignInCalls, {
  passkeyOptions: (_, context) => authenticationOptions(context, null),

  passkeySignIn: async (input, context) => {
    const uid = (await verifyPasskey(context, null, input.response)) ?? refuseAndKeep("passkeyWrong");
    return startUserSession(context, { uid, remember: input.remember, action: "signIn.passkey" });
  },
});
