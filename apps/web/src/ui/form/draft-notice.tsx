import { Alert, Button, Group, Text } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { useTexts } from "../../i18n/texts.ts";

/** Reports that a form contains input from before a reload, and offers to discard it. */
export function DraftNotice({ onStartOver }: { onStartOver: () => void }) {
  const t = useTexts();
  return (
    <Alert color="brand" variant="light" py={6} icon={<IconHistory size={18} />} role="status">
      <Group justify="space-between" gap="xs">
        <Text size="sm">{t("common.draftFound")}</Text>
        <Button size="compact-sm" variant="subtle" onClick={onStartOver}>
          {t("common.startOver")}
        </Button>
      </Group>
    </Alert>
  );
}
