package dev.sequitur.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.EnumSet;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What callers send is read, refused and described by one declaration. */
class ObjectFormatTest {
  private static final Field<String> NAME = Field.of("name", Formats.NAME, "whose it is");
  private static final Field<Long> WEIGHT = Field.or("weight", Formats.NUMBER, 5L, "in grams");
  private static final Field<List<Hash>> MARKS =
      Field.optional("marks", Format.of("a mark", "m", Hash::new).list(2), "");
  private static final ObjectFormat PARCEL = ObjectFormat.of("Parcel", NAME, WEIGHT, MARKS);

  private record Hash(String text) {}

  private enum Shipping implements Choice.Kind {
    BY_AIR("air", ObjectFormat.of("ByAir", NAME)),
    BY_SEA("sea", ObjectFormat.of("BySea", WEIGHT));

    private final String word;
    private final ObjectFormat fields;

    Shipping(String word, ObjectFormat fields) {
      this.word = word;
      this.fields = fields;
    }

    @Override
    public String word() {
      return word;
    }

    @Override
    public ObjectFormat fields() {
      return fields;
    }
  }

  private static final Format<Choice<Shipping>> SHIPPING =
      Choice.by("by", EnumSet.allOf(Shipping.class));

  private static Sent read(String json) {
    return PARCEL.read("params[0] (parcel)", JsonText.parse(json.replace('\'', '"')));
  }

  @Test
  void aFieldIsAskedByItsDeclaration() {
    var sent = read("{'name':'a','weight':'0x0c','marks':['x']}");
    assertThat(sent.get(NAME)).isEqualTo("a");
    assertThat(sent.get(WEIGHT)).isEqualTo(12);
    assertThat(sent.find(MARKS)).contains(List.of(new Hash("x")));
  }

  @Test
  void whatIsLeftOutOrNullHasTheValueThatIsDeclared() {
    var sent = read("{'name':'a','weight':null}");
    assertThat(sent.get(WEIGHT)).isEqualTo(5);
    assertThat(sent.has(WEIGHT)).isFalse();
    assertThat(sent.find(MARKS)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "[] | params[0] (parcel) must be an object, not an array.",
        "{} | params[0].name is missing: send a string of 1 to 256 characters.",
        "{'name':7} | params[0].name must be a string of 1 to 256 characters, not a number.",
        "{'name':'a','wieght':1} | params[0].wieght is not known here. Did you mean weight?",
        "{'nmae':'a'} | params[0].nmae is not known here. Did you mean name?",
        "{'name':'a','x':1} | params[0].x is not known here. Leave it out, or look its name up in"
            + " the reference.",
        "{'name':'a','marks':'m'} | params[0].marks must be an array, not a string.",
        "{'name':'a','marks':['1','2','3']} | params[0].marks has 3 elements; send at most 2.",
        "{'name':'a','marks':['1',2]} | params[0].marks[1] must be a mark, not a number."
      })
  void whatIsWrongIsRefusedWithItsPathAndItsType(String json, String sentence) {
    assertThatThrownBy(() -> read(json)).isInstanceOf(Unreadable.class).hasMessage(sentence);
  }

  @Test
  void whatIsOpenIgnoresWhatItDoesNotKnow() {
    var sent = PARCEL.open().read("p", JsonText.parse("{\"name\":\"a\",\"x\":1}"));
    assertThat(sent.get(NAME)).isEqualTo("a");
  }

  @Test
  void aFieldThatTheObjectDoesNotHaveCannotBeAsked() {
    var other = Field.of("name", Formats.NAME, "");
    assertThatThrownBy(() -> read("{'name':'a'}").get(other))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Parcel has no field name.");
  }

  @Test
  void whatWouldMeanNothingBesideAnotherIsRefused() {
    assertThatThrownBy(() -> read("{'name':'a','weight':1}").refuseBeside(NAME, WEIGHT))
        .hasMessage("params[0].weight means nothing beside name: leave one out.");
    read("{'name':'a'}").refuseBeside(NAME, WEIGHT);
  }

  @Test
  void theSchemaSaysWhatIsReadAndWhatItIsWithout() {
    var named = new TreeMap<String, ObjectNode>();
    assertThat(PARCEL.schema(named).get("$ref").textValue())
        .isEqualTo("#/components/schemas/Parcel");
    var schema = named.get("Parcel");
    assertThat(schema.get("required").toString()).isEqualTo("[\"name\"]");
    assertThat(schema.get("additionalProperties").booleanValue()).isFalse();
    assertThat(schema.at("/properties/weight/default").longValue()).isEqualTo(5);
    assertThat(schema.at("/properties/weight/description").textValue()).isEqualTo("in grams");
    assertThat(schema.at("/properties/marks/items/title").textValue()).isEqualTo("a mark");
  }

  @Test
  void alternativesAreToldApartByTheirField() {
    var read = SHIPPING.read("p", JsonText.parse("{\"by\":\"sea\",\"weight\":7}"));
    assertThat(read.kind()).isEqualTo(Shipping.BY_SEA);
    assertThat(read.sent().get(WEIGHT)).isEqualTo(7);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{} | p.by is missing: send air or sea.",
        "{'by':'train'} | p.by must be air or sea.",
        "{'by':'sea','name':'a'} | p.name is not known here. Leave it out, or look its name up in"
            + " the reference.",
        "{'by':'air'} | p.name is missing: send a string of 1 to 256 characters."
      })
  void anAlternativeThatCannotBeReadSaysWhich(String json, String sentence) {
    assertThatThrownBy(() -> SHIPPING.read("p", JsonText.parse(json.replace('\'', '"'))))
        .isInstanceOf(Unreadable.class)
        .hasMessage(sentence);
  }
}
