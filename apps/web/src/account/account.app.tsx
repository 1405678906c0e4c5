import { Suspense, lazy } from "react";
import { findScreen } from "../kernel/entry.ts";
import { loadTexts } from "../kernel/texts.ts";
import { Login } from "./login.tsx";

const Register = lazy(async () => ({ default: (await import("./register.tsx")).Register }));
const ForgotPassword = lazy(async () => ({ default: (await import("./forgot.tsx")).ForgotPassword }));
const ProviderProblem = lazy(async () => ({ default: (await import("./provider-problem.tsx")).ProviderProblem }));
const pages = { register: Register, forgot: ForgotPassword, authRedirect: ProviderProblem } as const;

/**
 * The pages before the sign-in. Each loads as a page of its own, without the router and the rest of the application.
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
