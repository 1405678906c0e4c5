import { Checkbox, Stack } from "@mantine/core";
import { useWatch } from "react-hook-form";
import type { Order } from "@arcada/contract/order/order.calls";
import { useTexts } from "../kernel/texts.ts";
import type { FieldProps } from "./share-fields.tsx";

export type SharedRevision = Pick<Order["revisions"][number], "id" | "kind" | "number" | "state">;

const pictures = "pictures";

/** Selects the parts of an order that the link shows in addition to its prescription and its scans. */
export function ShownFields({ form, revisions }: FieldProps & { revisions: readonly SharedRevision[] }) {
  const t = useTexts("share", "order");
  const [withPictures, chosen] = useWatch({ control: form.control, name: ["pictures", "revisions"] });
  const choose = (values: string[]) => {
    form.setValue("pictures", values.includes(pictures));
    form.setValue(
      "revisions",
      values.filter((value) => value !== pictures),
    );
    if (values.includes(pictures) && form.getValues("factor.kind") === "none") form.setValue("factor.kind", "phrase");
  };
  return (
    <Checkbox.Group
      label={t("share.make.shows")}
      description={t("share.make.showsText")}
      value={[...(withPictures ? [pictures] : []), ...chosen]}
      onChange={choose}
    >
      <Stack gap="xs" mt="xs">
        <Checkbox value={pictures} label={t("share.make.pictures")} />
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
