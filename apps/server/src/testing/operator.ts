/** Lets the operator in at servers of tests. */
export const OPERATOR_TOKEN = 'the-token-of-the-operator';
export const asOperator = { authorization: `Bearer ${OPERATOR_TOKEN}` };
