import { Alert } from "@mantine/core";
import { useNetwork } from "@mantine/hooks";
import { IconCloudOff } from "@tabler/icons-react";
import { useTexts } from "../i18n/texts.ts";

export function OfflineBar() {
  const t = useTexts("shell");
  const { online } = useNetwork();
  if (online) return null;
  return (
    <Alert color="yellow" variant="light" mb="md" py="xs" icon={<IconCloudOff size={18} />} role="status">
      {t("shell.offline")}
    </Alert>
  );
}
