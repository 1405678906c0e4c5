import { Suspense, lazy } from "react";
import { findScreen } from "@arcada/contract/screen-paths";
import { loadTexts } from "../i18n/texts.ts";
import { Login } from "./sign-in/login.tsx";

const Register = lazy(async () => ({ default: (await import("./registration/register.tsx")).Register }));
const ForgotPassword = lazy(async () => ({ default: (await import("./sign-in/forgot-password.tsx")).ForgotPassword }));
const ProviderProblem = lazy(async () => ({
  default: (await import("./sign-in/provider-problem.tsx")).ProviderProblem,
}));
const pages = { register: Register, forgot: ForgotPassword, authRedirect: ProviderProblem } as const;

/**
 * The pages before the sign-in. Each loads as a separate page, without the router and the rest of the application.
 */
export function App() {
  const screen = findScreen(location.pathname);
  const Page = screen === "register" || screen === "forgot" || screen === "authRedirect" ? pages[screen] : Login;
  return (
    <Suspense>
      <Page />
    </Suspense>
  );
}

await loadTexts("account");
