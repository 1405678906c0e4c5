import { Button } from "@mantine/core";
import { useEffect } from "react";
import { logError } from "./error-log.ts";
import { NoResponseError } from "../data/call-errors.ts";
import { useTexts } from "../i18n/texts.ts";
import { ErrorState } from "../ui/page-states.tsx";

/** The error view of a page. The layout around it keeps working. */
export function PageError({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const t = useTexts();
  useEffect(() => {
    console.error(error);
    logError(error);
  }, [error]);
  const isOffline = error instanceof NoResponseError;
  return (
    <ErrorState
      text={t(isOffline ? "common.network" : "common.unexpected")}
      retry={() => {
        // A new version of the product has replaced the files that this page would load, so reload.
        if (/dynamically imported module|Importing a module/.test(error.message)) return location.reload();
        onRetry();
      }}
    >
      <Button variant="subtle" component="a" href="/">
        {t("common.home")}
      </Button>
    </ErrorState>
  );
}
