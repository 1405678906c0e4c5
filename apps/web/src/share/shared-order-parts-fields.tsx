import { Checkbox, Stack } from "@mantine/core";
import { useWatch } from "react-hook-form";
import type { Order } from "@arcada/contract/order/order.calls";
import { useTexts } from "../i18n/texts.ts";
import type { ShareFieldProps } from "./share-fields.tsx";

export type SharedRevision = Pick<Order["revisions"][number], "id" | "kind" | "number" | "state">;

const imagesValue = "pictures";

/** Selects the parts of an order that the link shows in addition to its prescription and its scans. */
export function SharedPartsFields({ form, revisions }: ShareFieldProps & { revisions: readonly SharedRevision[] }) {
  const t = useTexts("share", "order");
  const [includesImages, chosen] = useWatch({ control: form.control, name: ["pictures", "revisions"] });
  const choose = (values: string[]) => {
    form.setValue("pictures", values.includes(imagesValue));
    form.setValue(
      "revisions",
      values.filter((value) => value !== imagesValue),
    );
    if (values.includes(imagesValue) && form.getValues("factor.kind") === "none")
      form.setValue("factor.kind", "phrase");
  };
  return (
    <Checkbox.Group
      label={t("share.make.shows")}
      description={t("share.make.showsText")}
      value={[...(includesImages ? [imagesValue] : []), ...chosen]}
      onChange={choose}
    >
      <Stack gap="xs" mt="xs">
        <Checkbox value={imagesValue} label={t("share.make.pictures")} />
        {revisions.map(({ id, kind, number, state }) => (
          <Checkbox
            key={id}
            value={id}
            label={`${t(`order.detail.${kind}Number`, { number })} · ${t(`order.revisionState.${state}`)}`}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
