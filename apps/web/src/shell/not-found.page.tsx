import { Button } from "@mantine/core";
import { useTexts } from "../i18n/texts.ts";
import { MessagePage } from "./message-page.tsx";

export function Page() {
  const t = useTexts("shell");
  return (
    <MessagePage number="404" title={t("shell.notFoundTitle")} text={t("shell.notFoundText")}>
      <Button component="a" href="/">
        {t("shell.goHome")}
      </Button>
    </MessagePage>
  );
}
