import { OrderFromPlanButton } from "./order/order-from-plan-button.tsx";
import { renderShareButton } from "./share/study-share-button.tsx";
import { StudyPage } from "../viewer/study-page.tsx";

/** The 3D CT viewer: the study's volume first. */
export const Page = () => (
  <StudyPage
    preferVolume
    actions={(study) => (
      <>
        <OrderFromPlanButton study={study} />
        {renderShareButton(study)}
      </>
    )}
  />
);
