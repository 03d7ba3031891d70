/** What the product is called in its terms. */
export const PRODUCT_NAME = 'Headrace';
/** Of the Terms of Use and the Privacy Policy; accounts keep which ones they accepted. */
export const TERMS_DATE = '06 November 2019';
