import { Checkbox, Modal, Stack, Text, TextInput } from "@mantine/core";
import { templateCalls, templateRules } from "@arcada/contract/order/template.calls";
import { useTexts } from "../../i18n/texts.ts";
import { toast } from "../../browser/toast.ts";
import { useCallForm } from "../../data/use-call-form.ts";
import { FormFooter } from "../../ui/form/form-footer.tsx";
import type { Draft } from "../form/order-draft.ts";
import { toTemplateContent } from "./fill-from-template.ts";

/** Saves the form as a template for other orders, without patient, teeth and files. */
export function SaveTemplate({ draft, onClose }: { draft: Draft; onClose: () => void }) {
  const t = useTexts("order");
  const { form, submit, busy, problem, error } = useCallForm(templateCalls.save, {
    defaults: {
      name: "",
      forAll: false,
      targetIid: draft.targetIid,
      isDefault: false,
      content: toTemplateContent(draft),
    },
    onSuccess: ({ name }) => {
      toast("success", t("order.template.saved", { name }));
      onClose();
    },
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("order.template.save")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {t("order.template.saveText")}
          </Text>
          <TextInput
            data-autofocus
            label={t("order.template.name")}
            maxLength={templateRules.maxNameLength}
            {...form.register("name")}
            error={error("name")}
          />
          <Checkbox
            label={t("order.template.forAll")}
            description={t("order.template.forAllText")}
            {...form.register("forAll")}
          />
          {draft.targetIid && (
            <Checkbox
              label={t("order.template.default")}
              description={t("order.template.defaultText")}
              {...form.register("isDefault")}
            />
          )}
          <FormFooter problem={problem} submitLabel={t("common.save")} busy={busy} onClose={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
