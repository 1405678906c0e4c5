import { ActionIcon, Group, UnstyledButton } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useTexts } from "../../../../i18n/texts.ts";
import styles from "./plan-panel.module.css";

/** The name of a planned object, which leads to it, and the button that removes it. */
export function PlanRowHeader({
  name,
  onChoose,
  onRemove,
}: {
  name: string;
  onChoose: () => void;
  onRemove: () => void;
}) {
  const t = useTexts("viewer");
  return (
    <Group gap={4} justify="space-between" wrap="nowrap">
      <UnstyledButton className={styles.name} onClick={onChoose}>
        {name}
      </UnstyledButton>
      <ActionIcon
        size={28}
        variant="subtle"
        color="gray"
        aria-label={t("viewer.arch.remove", { name })}
        onClick={onRemove}
      >
        <IconTrash size={16} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
