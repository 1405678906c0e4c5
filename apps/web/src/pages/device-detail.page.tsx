import { useTexts } from "../kernel/texts.ts";
import { PageBody } from "../ui/page.tsx";

export function Page() {
  const t = useTexts("shell");
  return <PageBody title={t("shell.screen.deviceDetail")}>{null}</PageBody>;
}
