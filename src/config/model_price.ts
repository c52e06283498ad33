/** The price of a model, as the user writes it: dollars for a million tokens of each kind. */
import * as z from "zod";

export const dollars = z.number().min(0).max(1_000_000);

const price = {
  input: dollars,
  output: dollars,
  cache_read: dollars.optional(),
  cache_write: dollars.optional(),
  cache_write_1h: dollars.optional(),
};

/** `above`: tokens of an input above which the provider asks for more. */
const tier = z.strictObject({ above: z.literal([32_000, 128_000, 200_000, 256_000, 272_000, 512_000]), ...price });

export const modelPrice = z.strictObject({ ...price, tiers: z.array(tier).max(10).optional() });
