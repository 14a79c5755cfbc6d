"""A run of Writhe in Blender: materials, light, a camera, and a picture of one instant.

    writhe export runs/wilberforce --to gltf
    blender --background --python examples/blender.py -- runs/wilberforce/run.glb picture.png --time 1.5

`pip install bpy`, and `python examples/blender.py` in place of `blender ..`, do the same without the program. `--save
FILE.blend` keeps the scene to go on with; `--slow 100` spreads what happens in 10 ms over a second of film."""
import argparse, json, struct, sys
import bpy
from mathutils import Vector
parser = argparse.ArgumentParser()
parser.add_argument("glb")
parser.add_argument("picture")
parser.add_argument("--time", type=float, help="s; the end of the run if left out")
for option, default in [("--slow", 1), ("--width", 1280), ("--samples", 64)]:
    parser.add_argument(option, type=int, default=default)
parser.add_argument("--save")
args = parser.parse_args(sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else sys.argv[1:])
with open(args.glb, "rb") as file:
    file.seek(12)
    gltf = json.loads(file.read(struct.unpack("<II", file.read(8))[0]))
inputs = {sampler["input"] for animation in gltf.get("animations", []) for sampler in animation["samplers"]}
end = max([gltf["accessors"][i]["max"][0] for i in inputs], default=0.0)
time = end if args.time is None else args.time - gltf["scenes"][0]["extras"].get("time_of_start_s", 0.0)
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = 24 * args.slow  # The importer counts frames of a key's time by it.
bpy.ops.import_scene.gltf(filepath=args.glb)
scene.render.fps, scene.frame_end = 24, max(1, round(24 * args.slow * end))
scene.frame_set(int(24 * args.slow * time), subframe=24 * args.slow * time % 1)
things = [o for o in scene.objects if o.type == "MESH" and "kind" in o]
for thing in things:
    nodes, links = thing.active_material.node_tree.nodes, thing.active_material.node_tree.links
    shader = nodes["Principled BSDF"]
    shader.inputs["Roughness"].default_value = 0.35 if thing["kind"] == "rod" else 0.5
    shader.inputs["Metallic"].default_value = 0.6 if thing["kind"] in ("joint", "clamp") else 0.0
    if thing.data.color_attributes and not shader.inputs["Base Color"].is_linked:  # `--colour FIELD`
        links.new(nodes.new("ShaderNodeVertexColor").outputs["Color"], shader.inputs["Base Color"])

rods = max(max(o.dimensions) for o in things if o["kind"] == "rod")
seen = [o for o in things if o["kind"] in ("rod", "body", "clamp") or o["kind"] == "obstacle" and max(o.dimensions) < 3 * rods]
seen = [o.evaluated_get(bpy.context.evaluated_depsgraph_get()) for o in seen]
points = [o.matrix_world @ v.co for o in seen for v in o.to_mesh().vertices]
low, high = (Vector([bound(p[k] for p in points) for k in range(3)]) for bound in (min, max))
middle, size = (low + high) / 2, (high - low).length
camera = scene.camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
camera.location = middle + 2.1 * size * Vector((0.35, -1.0, 0.3)).normalized()
camera.rotation_euler = (middle - camera.location).to_track_quat("-Z", "Y").to_euler()
camera.data.clip_start, camera.data.clip_end = 0.01 * size, 100 * size
sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
sun.data.energy, sun.data.angle, sun.rotation_euler = 2.5, 0.1, (0.6, 0.2, 0.5)
[scene.collection.objects.link(o) for o in (camera, sun)]
scene.world = bpy.data.worlds.new("world")
scene.world.use_nodes = True
scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.5, 0.53, 0.6, 1.0)
scene.render.engine, scene.cycles.samples, scene.view_settings.view_transform = "CYCLES", args.samples, "Standard"
scene.render.resolution_x, scene.render.resolution_y, scene.render.filepath = args.width, args.width * 3 // 4, args.picture
if args.save:
    bpy.ops.wm.save_as_mainfile(filepath=args.save)
bpy.ops.render.render(write_still=True)
