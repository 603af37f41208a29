package dev.sequitur.ethereum;

import com.esaulpaugh.headlong.abi.ABIType;
import com.esaulpaugh.headlong.abi.Address;
import com.esaulpaugh.headlong.abi.ArrayType;
import com.esaulpaugh.headlong.abi.Tuple;
import com.esaulpaugh.headlong.abi.TupleType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sequitur.protocol.id.Bytes;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;

/**
 * Values of an ABI as JSON says them. Numbers are read as decimal digits, as JSON numbers and in
 * hexadecimal digits, byte strings and addresses as {@code 0x} and digits.
 */
final class AbiValues {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** Of a number: a sign and 78 decimal digits are the longest that a type holds. */
  private static final int LONGEST_NUMBER = 80;

  /** Of a wrong value, as its sentence shows it. */
  private static final int MOST_SHOWN = 100;

  private AbiValues() {}

  /**
   * Parameters in their order.
   *
   * @param given an object by name or an array; nothing, if there are none
   * @param path what {@code given} is called
   * @throws IllegalArgumentException with a sentence
   */
  static Tuple tuple(TupleType<?> types, JsonNode given, String path) {
    if (given.isObject()) {
      given
          .fieldNames()
          .forEachRemaining(
              name -> {
                if (!hasElement(types, name)) {
                  throw new WrongValue(
                      "%s names '%s', which is no parameter: it has %s."
                          .formatted(path, name, types.getCanonicalType()));
                }
              });
    } else if (!given.isArray() && !given.isMissingNode()) {
      throw wrong(path, types, given);
    }
    if (given.size() != types.size()) {
      throw new WrongValue(
          "%s has %d parameters, not the %d of %s."
              .formatted(path, given.size(), types.size(), types.getCanonicalType()));
    }
    var values = new Object[types.size()];
    for (int i = 0; i < values.length; i++) {
      var name = types.getElementName(i);
      var one = given.isObject() ? given.path(name == null ? "" : name) : given.get(i);
      values[i] = value(types.get(i), one, path + (given.isObject() ? "." + name : "[" + i + "]"));
    }
    return Tuple.from(values);
  }

  private static boolean hasElement(TupleType<?> types, String name) {
    for (int i = 0; i < types.size(); i++) {
      if (name.equals(types.getElementName(i))) {
        return true;
      }
    }
    return false;
  }

  private static Object value(ABIType<?> type, JsonNode given, String path) {
    try {
      return switch (type.typeCode()) {
        case ABIType.TYPE_CODE_BOOLEAN -> bool(type, given, path);
        case ABIType.TYPE_CODE_BYTE -> number(type, given, path).byteValueExact();
        case ABIType.TYPE_CODE_INT -> number(type, given, path).intValueExact();
        case ABIType.TYPE_CODE_LONG -> number(type, given, path).longValueExact();
        case ABIType.TYPE_CODE_BIG_INTEGER -> number(type, given, path);
        case ABIType.TYPE_CODE_BIG_DECIMAL -> new BigDecimal(digits(type, given, path));
        case ABIType.TYPE_CODE_ADDRESS ->
            Address.wrap(
                Address.toChecksumAddress(text(type, given, path).toLowerCase(Locale.ROOT)));
        case ABIType.TYPE_CODE_TUPLE -> tuple(type.asTupleType(), given, path);
        case ABIType.TYPE_CODE_ARRAY -> array((ArrayType<?, ?, ?>) type, given, path);
        default -> throw wrong(path, type, given);
      };
    } catch (WrongValue e) {
      throw e;
    } catch (ArithmeticException | IllegalArgumentException e) {
      throw wrong(path, type, given);
    }
  }

  private static Object bool(ABIType<?> type, JsonNode given, String path) {
    if (given.isBoolean()) {
      return given.booleanValue();
    }
    return switch (given.asText("")) {
      case "true" -> true;
      case "false" -> false;
      default -> throw wrong(path, type, given);
    };
  }

  private static BigInteger number(ABIType<?> type, JsonNode given, String path) {
    var number =
        given.isIntegralNumber() ? given.bigIntegerValue() : parsed(digits(type, given, path));
    var unit = type.asUnitType();
    if (number.compareTo(unit.minValue()) < 0 || number.compareTo(unit.maxValue()) > 0) {
      throw wrong(path, type, given);
    }
    return number;
  }

  private static BigInteger parsed(String text) {
    return text.startsWith("0x") ? new BigInteger(text.substring(2), 16) : new BigInteger(text);
  }

  private static String text(ABIType<?> type, JsonNode given, String path) {
    if (!given.isTextual()) {
      throw wrong(path, type, given);
    }
    return given.textValue();
  }

  /** A million of them would take minutes to be read. */
  private static String digits(ABIType<?> type, JsonNode given, String path) {
    var digits = text(type, given, path);
    if (digits.length() > LONGEST_NUMBER) {
      throw wrong(path, type, given);
    }
    return digits;
  }

  private static Object array(ArrayType<?, ?, ?> type, JsonNode given, String path) {
    if (type.isString()) {
      return text(type, given, path);
    } else if (type.clazz() == byte[].class) {
      var bytes = Bytes.hex(text(type, given, path)).toByteArray();
      requireLength(type, bytes.length, given, path);
      return bytes;
    } else if (!given.isArray()) {
      throw wrong(path, type, given);
    }
    requireLength(type, given.size(), given, path);
    var values = Array.newInstance(type.clazz().getComponentType(), given.size());
    for (int i = 0; i < given.size(); i++) {
      Array.set(values, i, value(type.getElementType(), given.get(i), path + "[" + i + "]"));
    }
    return values;
  }

  private static void requireLength(
      ArrayType<?, ?, ?> type, int length, JsonNode given, String path) {
    if (type.getLength() != ArrayType.DYNAMIC_LENGTH && type.getLength() != length) {
      throw wrong(path, type, given);
    }
  }

  /** Says already where, unlike what the library throws. */
  private static final class WrongValue extends IllegalArgumentException {
    WrongValue(String sentence) {
      super(sentence);
    }
  }

  private static WrongValue wrong(String path, ABIType<?> type, JsonNode given) {
    return new WrongValue(
        "%s must be of type %s, not %s.".formatted(path, type.getCanonicalType(), shown(given)));
  }

  private static String shown(JsonNode given) {
    var text = given.isMissingNode() ? "absent" : given.toString();
    if (text.length() <= MOST_SHOWN) {
      return text;
    }
    // Half a character could not be written.
    boolean half = Character.isHighSurrogate(text.charAt(MOST_SHOWN - 1));
    return text.substring(0, half ? MOST_SHOWN - 1 : MOST_SHOWN) + "…";
  }

  /** What has several values, by the format's structure. */
  static JsonNode written(TupleType<?> types, Tuple values, ValueFormat format) {
    return switch (format.structure()) {
      case OBJECT -> {
        var object = JSON.objectNode();
        for (int i = 0; i < types.size(); i++) {
          object.set(name(types, i), json(types.get(i), values.get(i), format));
        }
        yield object;
      }
      case ARRAY -> {
        var array = JSON.arrayNode();
        for (int i = 0; i < types.size(); i++) {
          array.add(json(types.get(i), values.get(i), format));
        }
        yield array;
      }
      case SELF_DESCRIBING -> {
        var array = JSON.arrayNode();
        for (int i = 0; i < types.size(); i++) {
          var described = array.addObject().put("name", name(types, i));
          described.put("type", types.get(i).getCanonicalType());
          described.set("value", json(types.get(i), values.get(i), format));
        }
        yield array;
      }
    };
  }

  /** What has none is called by its place. */
  private static String name(TupleType<?> types, int place) {
    var name = types.getElementName(place);
    return name == null || name.isEmpty() ? Integer.toString(place) : name;
  }

  static JsonNode json(ABIType<?> type, Object value, ValueFormat format) {
    return switch (value) {
      case Boolean it -> JSON.booleanNode(it);
      case Address it -> JSON.textNode(address(it, format));
      case byte[] it -> JSON.textNode(bytes(it, format));
      case Tuple it -> written(type.asTupleType(), it, format);
      case BigDecimal it -> JSON.textNode(it.toString());
      case Number it -> number(new BigInteger(it.toString()), format);
      case String it -> JSON.textNode(it);
      default -> {
        var array = JSON.arrayNode();
        var element = ((ArrayType<?, ?, ?>) type).getElementType();
        for (int i = 0; i < Array.getLength(value); i++) {
          array.add(json(element, Array.get(value, i), format));
        }
        yield array;
      }
    };
  }

  private static JsonNode number(BigInteger value, ValueFormat format) {
    return switch (format.number()) {
      case JSON_NUMBER -> JSON.numberNode(value);
      case HEX -> JSON.textNode((value.signum() < 0 ? "-0x" : "0x") + value.abs().toString(16));
      case DECIMAL, HEX_PLAIN, BASE64, CHECKSUM -> JSON.textNode(value.toString());
    };
  }

  private static String bytes(byte[] value, ValueFormat format) {
    var hex = HexFormat.of().formatHex(value);
    return switch (format.bytes()) {
      case HEX_PLAIN -> hex;
      case BASE64 -> Base64.getEncoder().encodeToString(value);
      case HEX, DECIMAL, JSON_NUMBER, CHECKSUM -> "0x" + hex;
    };
  }

  private static String address(Address value, ValueFormat format) {
    var hex = value.toString().toLowerCase(Locale.ROOT);
    return switch (format.address()) {
      case HEX_PLAIN -> hex.substring(2);
      case CHECKSUM -> Address.toChecksumAddress(hex);
      case HEX, DECIMAL, JSON_NUMBER, BASE64 -> hex;
    };
  }
}
