/** A place that dex names, as a link to the view that shows it. */
import { placeHref, placeName } from "./place.ts";

export function PlaceLink({ place, project }: { place: string; project?: string | undefined }) {
  const href = placeHref(place, project);
  const shown = placeName(place);
  return href ? (
    <a class="place" href={href} title={place}>
      {shown}
    </a>
  ) : (
    <span class="place" title={place}>
      {shown}
    </span>
  );
}
