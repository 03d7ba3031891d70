/**
 * Water valve whose firmware isn't known. Its two bytes mean one thing by older firmware and another by 6.0, and neither says which it is:
 * the same message would be "closed" by one and "open" by the other. Five bytes are alike but for the valve.
 */
function decodeUplink(input) {
  var bytes = input.bytes;
  if (bytes.length < 2) return { errors: ['the message ends early'] };
  var data = bytes.length < 5 ? {} : details(bytes);
  data.valveState = null;
  return {
    data: data,
    warnings: [
      'whether the valve is open depends on its firmware: choose T-Valve (firmware 6.0 and later) if it has that',
    ],
  };
}
