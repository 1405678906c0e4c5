import { Modal, Stack, Text, TextInput } from "@mantine/core";
import { capacityCalls } from "@arcada/contract/capacity/capacity.calls";
import type { IssuedCard } from "@arcada/contract/capacity/capacity.calls";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCallForm } from "../data/use-call-form.ts";
import { FormFooter } from "../ui/form/form-footer.tsx";
import { formatCardNumber, formatCapacity } from "./format-capacity.ts";

/** Number and secret of a card that was bought; of one that was scanned they are filled in. */
export function ActivateCard({ card, onClose }: { card: IssuedCard | null; onClose: () => void }) {
  const t = useTexts("capacity", "myCapacity", "refusals");
  const { form, submit, busy, error, problem } = useCallForm(capacityCalls.activate, {
    defaults: {
      cardNumber: card ? formatCardNumber(card.number) : "",
      secret: card ? formatCardNumber(card.secret) : "",
    },
    onSuccess: (period) => {
      toast("success", t("myCapacity.activate.done", { worth: formatCapacity(t, period) }));
      onClose();
    },
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("myCapacity.activate.open")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {t("myCapacity.activate.says")}
          </Text>
          <TextInput
            label={t("myCapacity.activate.number")}
            required
            data-autofocus
            autoComplete="off"
            inputMode="numeric"
            dir="ltr"
            maxLength={40}
            {...form.register("cardNumber")}
            error={error("cardNumber")}
          />
          <TextInput
            label={t("myCapacity.activate.secret")}
            required
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            dir="ltr"
            maxLength={60}
            {...form.register("secret")}
            error={error("secret")}
          />
          <FormFooter problem={problem} submitLabel={t("myCapacity.activate.submit")} busy={busy} onClose={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
