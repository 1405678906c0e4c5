import { Checkbox, Stack } from "@mantine/core";
import { Controller } from "react-hook-form";
import type { Order } from "@arcada/contract/order/order.calls";
import { useTexts } from "../kernel/texts.ts";
import type { FieldProps } from "./share-fields.tsx";

export type SharedRevision = Pick<Order["revisions"][number], "id" | "kind" | "number" | "state">;

/** What of an order the link shows besides its prescription and its models. */
export function ShownFields({ form, revisions }: FieldProps & { revisions: readonly SharedRevision[] }) {
  const t = useTexts("share", "order");
  const choosePictures = (isChosen: boolean) => {
    form.setValue("pictures", isChosen);
    if (isChosen && form.getValues("factor.kind") === "none") form.setValue("factor.kind", "phrase");
  };
  return (
    <Checkbox.Group label={t("share.make.shows")} description={t("share.make.showsText")}>
      <Stack gap="xs" mt="xs">
        <Controller
          control={form.control}
          name="pictures"
          render={({ field }) => (
            <Checkbox
              label={t("share.make.pictures")}
              checked={field.value}
              onChange={(event) => choosePictures(event.currentTarget.checked)}
            />
          )}
        />
        <Controller
          control={form.control}
          name="revisions"
          render={({ field }) => (
            <>
              {revisions.map(({ id, kind, number, state }) => (
                <Checkbox
                  key={id}
                  label={`${t(`order.detail.${kind}Number`, { number })} · ${t(`order.revisionState.${state}`)}`}
                  checked={field.value.includes(id)}
                  onChange={(event) =>
                    field.onChange(
                      event.currentTarget.checked ? [...field.value, id] : field.value.filter((one) => one !== id),
                    )
                  }
                />
              ))}
            </>
          )}
        />
      </Stack>
    </Checkbox.Group>
  );
}
