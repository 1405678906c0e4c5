import { IconDownload } from "@tabler/icons-react";
import { useTexts } from "../../i18n/texts.ts";
import { ToolMenu } from "../ui/toolbar/toolbar.tsx";
import { useExportTools, type ExportOptions } from "./use-export-tools.ts";

/** The tools of `useExportTools` behind one button, for a toolbar without modes. */
export function ExportMenu(options: ExportOptions) {
  const t = useTexts("viewer");
  const items = useExportTools(options).map(({ id, ...item }) => ({ key: id, ...item }));
  return <ToolMenu label={t("viewer.export.title")} icon={IconDownload} items={items} />;
}
