import { Button, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { operatorCalls } from "@arcada/contract/operator/operator.calls";
import { useTexts } from "../../i18n/texts.ts";
import { FormError } from "../../ui/form/form-error.tsx";
import { useLightCallForm } from "../fields/use-call-form-without-library.ts";

/** Sets the address that people open. It proposes the one under which this page was opened. */
export function PublicAddressForm({ current }: { current: string | null }) {
  const t = useTexts("setup");
  const [isSaved, setSaved] = useState(false);
  const form = useLightCallForm(operatorCalls.setPublicUrl, {
    defaults: { url: current ?? location.origin },
    input: ({ url }) => ({ url }),
    done: () => setSaved(true),
  });
  const differs = URL.canParse(form.values.url) && new URL(form.values.url).origin !== location.origin;
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="xs">
        <TextInput
          name="url"
          type="url"
          dir="ltr"
          label={t("setup.address.label")}
          maxLength={200}
          value={form.values.url}
          onChange={(event) => {
            setSaved(false);
            form.set({ url: event.currentTarget.value });
          }}
          error={form.error("url")}
        />
        {differs && (
          <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {t("setup.address.differs", { url: location.origin })}
          </Text>
        )}
        <FormError text={form.problem} />
        {isSaved && <FormError kind="info" text={t("setup.address.saved")} />}
        <Button type="submit" variant="default" loading={form.busy} style={{ alignSelf: "flex-start" }}>
          {t("setup.address.save")}
        </Button>
      </Stack>
    </form>
  );
}
