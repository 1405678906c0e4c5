import { ActionIcon, Group, List, Modal, Text } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { templateCalls } from "@arcada/contract/order/template.calls";
import type { Template } from "@arcada/contract/order/template.calls";
import { useTexts } from "../../i18n/texts.ts";
import { toast } from "../../browser/toast.ts";
import { useCommand } from "../../data/use-command.ts";

/** The templates that the reader may remove. */
export function ManageTemplates({ templates, onClose }: { templates: readonly Template[]; onClose: () => void }) {
  const t = useTexts("order");
  const remove = useCommand(templateCalls.remove);
  const own = templates.filter(({ mayChange }) => mayChange);
  const removeTemplate = async ({ id, name }: Template) => {
    if (await remove.run({ id })) toast("success", t("order.template.removed", { name }));
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("order.template.kept")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      {own.length === 0 && (
        <Text size="sm" c="dimmed">
          {t("order.template.none")}
        </Text>
      )}
      <List listStyleType="none" spacing="xs">
        {own.map((template) => (
          <List.Item key={template.id} styles={{ itemWrapper: { display: "block" }, itemLabel: { width: "100%" } }}>
            <Group justify="space-between" wrap="nowrap">
              <div>
                <Text size="sm">{template.name}</Text>
                <Text size="xs" c="dimmed">
                  {t(template.forAll ? "order.template.ofAll" : "order.template.own")}
                </Text>
              </div>
              <ActionIcon
                variant="subtle"
                color="gray"
                disabled={remove.busy}
                aria-label={t("order.template.remove", { name: template.name })}
                onClick={() => void removeTemplate(template)}
              >
                <IconTrash size={17} stroke={1.6} aria-hidden />
              </ActionIcon>
            </Group>
          </List.Item>
        ))}
      </List>
    </Modal>
  );
}
