package dev.sequitur.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is declared of a value is what is written, what is read, and what the schema says. */
class ShapeTest {
  private record Place(long block, int index) {}

  private record Parcel(
      String name, Optional<String> note, Optional<Place> place, List<String> marks) {}

  private static final ObjectShape<Place> PLACE =
      ObjectShape.<Place>named("Place")
          .with("block", Shape.NUMBER, Place::block, "where it is")
          .with("index", Shape.NUMBER, Place::index);

  private static final ObjectShape<Parcel> PARCEL =
      ObjectShape.<Parcel>named("Parcel")
          .with("name", Formats.TEXT, Parcel::name)
          .constant("type", "parcel")
          .maybe("note", Formats.TEXT, Parcel::note, "left out without")
          .with("place", PLACE.orNull(), Parcel::place)
          .with("marks", Formats.TEXT.list(), Parcel::marks);

  private static final Parcel FULL =
      new Parcel("a", Optional.of("b"), Optional.of(new Place(7, 0)), List.of("x", "y"));
  private static final Parcel EMPTY =
      new Parcel("a", Optional.empty(), Optional.empty(), List.of());

  @Test
  void aWordOutOfAListIsReadAndTheRefusalOfAnotherOneHasThemAll() {
    var colour = Format.among(List.of("red", "green", "blue"));

    assertThat(colour.read("at", colour.write("green"))).isEqualTo("green");
    assertThat(colour.schema(new TreeMap<>()).toString())
        .isEqualTo("{'type':'string','enum':['red','green','blue']}".replace('\'', '"'));
    assertThatThrownBy(() -> colour.read("at", JsonText.parse("\"grey\"".getBytes(UTF_8))))
        .hasMessageContaining("at must be \"red\", \"green\" or \"blue\".");
    assertThatThrownBy(() -> colour.read("at", JsonText.parse("7".getBytes(UTF_8))))
        .hasMessageContaining("at must be \"red\", \"green\" or \"blue\", not a number.");
  }

  @Test
  void anObjectIsWrittenFieldByFieldInTheOrderOfItsDeclaration() {
    assertThat(PARCEL.write(FULL).toString())
        .isEqualTo(
            "{'name':'a','type':'parcel','note':'b','place':{'block':7,'index':0},'marks':['x','y']}"
                .replace('\'', '"'));
  }

  @Test
  void whatMayBeMissingIsLeftOutOrNullAsDeclared() {
    assertThat(PARCEL.write(EMPTY).toString())
        .isEqualTo("{'name':'a','type':'parcel','place':null,'marks':[]}".replace('\'', '"'));
  }

  @Test
  void fieldsOfAPartStandBesideTheOthersAndLeaveWithIt() {
    var flat =
        ObjectShape.<Parcel>named("Flat")
            .with("name", Formats.TEXT, Parcel::name)
            .allIf(PLACE, Parcel::place);
    assertThat(flat.write(FULL).toString()).isEqualTo("{\"name\":\"a\",\"block\":7,\"index\":0}");
    assertThat(flat.write(EMPTY).toString()).isEqualTo("{\"name\":\"a\"}");
    assertThat(required(flat)).containsExactly("name");
  }

  @Test
  void aValueOfAnotherTypeIsWrittenAsItsPartIs() {
    assertThat(PLACE.of((Parcel parcel) -> parcel.place().orElseThrow()).write(FULL))
        .isEqualTo(PLACE.write(new Place(7, 0)));
    assertThat(Shape.NUMBER.byName().write(Map.of("drops", 3)).toString())
        .isEqualTo("{\"drops\":3}");
  }

  @Test
  void theSchemaOfANamedObjectStandsOnceUnderItsName() {
    var named = new TreeMap<String, ObjectNode>();
    assertThat(PARCEL.list().schema(named).at("/items/$ref").textValue())
        .isEqualTo("#/components/schemas/Parcel");
    assertThat(named.keySet()).containsExactly("Parcel", "Place");
    var parcel = named.get("Parcel");
    assertThat(parcel.at("/properties/note/description").textValue()).isEqualTo("left out without");
    assertThat(parcel.at("/properties/place/oneOf/1/type").textValue()).isEqualTo("null");
    assertThat(required(PARCEL)).containsExactly("name", "type", "place", "marks");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "7 | p must be a string of 0x and 64 hexadecimal digits, not a number.",
        "'\"x\"' | p cannot be read. A hash is 0x and 64 hexadecimal digits."
      })
  void whatCannotBeReadIsRefusedWithItsPathAndItsType(String json, String sentence) {
    assertThatThrownBy(() -> Formats.HASH.read("p", JsonText.parse(json)))
        .isInstanceOf(Unreadable.class)
        .hasMessage(sentence);
  }

  @Test
  void aNumberIsReadFromDigitsAndFromHexadecimalOnes() {
    assertThat(Formats.NUMBER.read("p", JsonText.parse("12"))).isEqualTo(12);
    assertThat(Formats.NUMBER.read("p", JsonText.parse("\"0x0c\""))).isEqualTo(12);
    assertThatThrownBy(() -> Formats.NUMBER.read("p", JsonText.parse("-1")))
        .hasMessage("p must be a whole number from 0 to 9223372036854775807.");
    for (var number : List.of("-1", "2147483648", "1e30", "1.5", "\"0x80000000\"")) {
      assertThatThrownBy(() -> Formats.COUNT.read("p", JsonText.parse(number)))
          .as(number)
          .hasMessage("p must be a whole number from 0 to 2147483647.");
    }
    assertThat(Formats.COUNT.read("p", JsonText.parse("2147483647"))).isEqualTo(Integer.MAX_VALUE);
    assertThatThrownBy(() -> Formats.NUMBER.read("p", JsonText.parse("true")))
        .hasMessageContaining("p must be a whole number, or a string of 0x");
  }

  private static List<String> required(ObjectShape<?> shape) {
    var named = new TreeMap<String, ObjectNode>();
    shape.schema(named);
    var texts = new ArrayList<String>();
    named.get(shape.name()).get("required").forEach(text -> texts.add(text.textValue()));
    return texts;
  }
}
