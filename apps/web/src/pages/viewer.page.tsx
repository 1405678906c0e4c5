import { OrderFromPlanButton } from "./order/order-from-plan-button.tsx";
import { renderShareButton } from "./share/study-share-button.tsx";
import { StudyPage } from "../viewer/study-page.tsx";

/** Images, volumes and models of a study. */
export const Page = () => (
  <StudyPage
    preferVolume={false}
    actions={(study) => (
      <>
        {study.kind === "ct" && <OrderFromPlanButton study={study} />}
        {renderShareButton(study)}
      </>
    )}
  />
);
