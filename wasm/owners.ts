/** The loops of a search over texts that have a score, and over those that have all words. */

/** Of the documents, raises the count of those that have this count. */
export function raiseCounts(documentsAt: u32, count: u32, countsAt: u32, before: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    const at = countsAt + (load<u32>(documentsAt + (i << 2)) << 1);
    const known = load<u16>(at) as u32;
    store<u16>(at, (known + ((known == before) as u32)) as u16);
  }
}

/** Bars every document that has another count. */
export function barOthers(countsAt: u32, documents: u32, needed: u32, barredAt: u32): void {
  for (let document: u32 = 0; document < documents; document++) {
    const isOther = ((load<u16>(countsAt + (document << 1)) as u32) != needed) as u8;
    store<u8>(barredAt + document, load<u8>(barredAt + document) | isOther);
  }
}

/**
 * Raises the count of each owner that has this count and one of the documents, and returns how many there are.
 * `barredAt`: a byte for each document, 1 if it is left out; 0 where none is.
 */
export function raiseOwners(
  documentsAt: u32,
  count: u32,
  barredAt: u32,
  placesAt: u32,
  largestOwner: u32,
  countsAt: u32,
  before: u32,
): u32 {
  let owners: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const document = load<u32>(documentsAt + (i << 2));
    const owner = load<u32>(placesAt + (document << 3));
    if (owner > largestOwner) continue;
    const at = countsAt + (owner << 1);
    if ((load<u16>(at) as u32) != before) continue;
    if (barredAt != 0 && load<u8>(barredAt + document) != 0) continue;
    store<u16>(at, (before + 1) as u16);
    owners++;
  }
  return owners;
}

/** Multiplies the scores of these documents. */
export function scale(scoredAt: u32, count: u32, valuesAt: u32, factor: f64): void {
  for (let i: u32 = 0; i < count; i++) {
    const valueAt = valuesAt + (load<u32>(scoredAt + (i << 2)) << 3);
    store<f64>(valueAt, load<f64>(valueAt) * factor);
  }
}

/**
 * Takes the three best scores of each owner, and the documents that have them, from the documents of one segment. Also
 * takes each owner's best slot that is not the title, and of slots with the same score the first. Appends each owner that
 * had no score to the list of those that have, and returns its new length. `before`: the documents of earlier segments.
 */
export function group(
  scoredAt: u32,
  count: u32,
  valuesAt: u32,
  placesAt: u32,
  before: u32,
  largestOwner: u32,
  titleSlot: i32,
  bestAt: u32,
  whoseAt: u32,
  slotsAt: u32,
  slotScoresAt: u32,
  ownersAt: u32,
  owners: u32,
): u32 {
  for (let i: u32 = 0; i < count; i++) {
    const document = load<u32>(scoredAt + (i << 2));
    const score = load<f64>(valuesAt + (document << 3));
    const owner = load<u32>(placesAt + (document << 3));
    const slot = load<i32>(placesAt + (document << 3), 4);
    if (owner > largestOwner) continue;
    const best = bestAt + owner * 24;
    const whose = whoseAt + owner * 12;
    const first = load<f64>(best);
    const second = load<f64>(best, 8);
    if (first == 0) {
      store<u32>(ownersAt + (owners << 2), owner);
      owners++;
    }
    if (slot != titleSlot) {
      const slotAt = slotsAt + (owner << 2);
      const scoreAt = slotScoresAt + (owner << 3);
      const kept = load<i32>(slotAt);
      const keptScore = load<f64>(scoreAt);
      if (score > keptScore || (score == keptScore && (slot < kept || kept == -1))) {
        store<i32>(slotAt, slot);
        store<f64>(scoreAt, score);
      }
    }
    if (score > first) {
      store<f64>(best, second, 16);
      store<u32>(whose, load<u32>(whose, 4), 8);
      store<f64>(best, first, 8);
      store<u32>(whose, load<u32>(whose), 4);
      store<f64>(best, score);
      store<u32>(whose, before + document);
    } else if (score > second) {
      store<f64>(best, second, 16);
      store<u32>(whose, load<u32>(whose, 4), 8);
      store<f64>(best, score, 8);
      store<u32>(whose, before + document, 4);
    } else if (score > load<f64>(best, 16)) {
      store<f64>(best, score, 16);
      store<u32>(whose, before + document, 8);
    }
  }
  return owners;
}
